// What the library of Java gives back. The resolver reads it as any code, after all of a repository's own.

interface Function<T, R> { R apply(T value); }
interface BiFunction<T, U, R> { R apply(T first, U second); }
interface UnaryOperator<T> { T apply(T value); }
interface BinaryOperator<T> { T apply(T first, T second); }
interface Supplier<T> { T get(); }
interface Consumer<T> { void accept(T value); }
interface BiConsumer<T, U> { void accept(T first, U second); }
interface Predicate<T> { boolean test(T value); }
interface BiPredicate<T, U> { boolean test(T first, U second); }
interface Comparator<T> { int compare(T first, T second); }
interface ToIntFunction<T> { int applyAsInt(T value); }
interface ToLongFunction<T> { long applyAsLong(T value); }
interface ToDoubleFunction<T> { double applyAsDouble(T value); }
interface ToIntBiFunction<T, U> { int applyAsInt(T first, U second); }
