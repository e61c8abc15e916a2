// What the library of C# gives back. The resolver reads it as any code, after all of a repository's own.

// What every value has. A wrapper such as Task or Nullable is worth what it holds.
public class Everything<T> {
    public T Value { get; }
    public T Result { get; }
    public T GetValueOrDefault();
    public T ConfigureAwait(bool continues);
}

public interface Action<A, B, C, D> { void Invoke(A first, B second, C third, D fourth); }
public interface Predicate<T> { bool Invoke(T value); }
