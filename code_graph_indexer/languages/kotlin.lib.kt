// What the library of Kotlin gives back. The resolver reads it as any code, after all of a repository's own.
package lib

// What every value has. A wrapper such as Deferred or Lazy is worth what it holds.
interface Everything<T> {
    val value: T
    fun get(): T
    fun await(): T
    fun copy(): T
    fun also(block: (T) -> Unit): T
    fun apply(block: T.() -> Unit): T
    fun takeIf(test: (T) -> Boolean): T
    fun takeUnless(test: (T) -> Boolean): T
    fun <R> let(block: (T) -> R): R
    fun <R> use(block: (T) -> R): R
}

fun <T> listOf(vararg values: T): List<T>
fun <T> listOfNotNull(vararg values: T): List<T>
fun <T> mutableListOf(vararg values: T): MutableList<T>
fun <T> arrayListOf(vararg values: T): ArrayList<T>
fun <T> arrayOf(vararg values: T): Array<T>
fun <T> emptyList(): List<T>
fun <T> setOf(vararg values: T): Set<T>
fun <T> mutableSetOf(vararg values: T): MutableSet<T>
fun <T> hashSetOf(vararg values: T): HashSet<T>
fun <T> linkedSetOf(vararg values: T): LinkedHashSet<T>
fun <T> emptySet(): Set<T>
fun <T> sequenceOf(vararg values: T): Sequence<T>
fun <K, V> mapOf(vararg entries: Pair<K, V>): Map<K, V>
fun <K, V> mutableMapOf(vararg entries: Pair<K, V>): MutableMap<K, V>
fun <K, V> hashMapOf(vararg entries: Pair<K, V>): HashMap<K, V>
fun <K, V> linkedMapOf(vararg entries: Pair<K, V>): LinkedHashMap<K, V>
fun <K, V> emptyMap(): Map<K, V>

interface Iterable<T> {
    fun iterator(): Iterator<T>
}
interface Iterator<T> {
    fun next(): T
}
interface Sequence<T> {
    fun iterator(): Iterator<T>
}
interface Collection<T> : Iterable<T>
interface List<T> : Collection<T> {
    fun get(index: Int): T
}
interface MutableList<T> : List<T> {
    fun removeAt(index: Int): T
}
interface Set<T> : Collection<T>
interface MutableSet<T> : Set<T>
interface Array<T> : List<T>
class ArrayList<T> : MutableList<T>
class ArrayDeque<T> : MutableList<T>
class HashSet<T> : MutableSet<T>
class LinkedHashSet<T> : MutableSet<T>
interface Map<K, V> {
    val keys: Set<K>
    val values: Collection<V>
    fun get(key: K): V
}
interface MutableMap<K, V> : Map<K, V>
class HashMap<K, V> : MutableMap<K, V>
class LinkedHashMap<K, V> : MutableMap<K, V>

fun <T> Iterable<T>.first(): T
fun <T> Iterable<T>.firstOrNull(): T
fun <T> Iterable<T>.last(): T
fun <T> Iterable<T>.lastOrNull(): T
fun <T> Iterable<T>.single(): T
fun <T> Iterable<T>.singleOrNull(): T
fun <T> Iterable<T>.elementAt(index: Int): T
fun <T> Iterable<T>.elementAtOrNull(index: Int): T
fun <T> Iterable<T>.random(): T
fun <T> Iterable<T>.find(test: (T) -> Boolean): T
fun <T> Iterable<T>.minBy(by: (T) -> R): T
fun <T> Iterable<T>.maxBy(by: (T) -> R): T
fun <T> Iterable<T>.minByOrNull(by: (T) -> R): T
fun <T> Iterable<T>.maxByOrNull(by: (T) -> R): T
fun <T> Iterable<T>.filter(test: (T) -> Boolean): List<T>
fun <T> Iterable<T>.filterNot(test: (T) -> Boolean): List<T>
fun <T> Iterable<T>.filterNotNull(): List<T>
fun <R> Iterable<T>.filterIsInstance(): List<R>
fun <T> Iterable<T>.sorted(): List<T>
fun <T> Iterable<T>.sortedBy(by: (T) -> R): List<T>
fun <T> Iterable<T>.sortedByDescending(by: (T) -> R): List<T>
fun <T> Iterable<T>.reversed(): List<T>
fun <T> Iterable<T>.distinct(): List<T>
fun <T> Iterable<T>.distinctBy(by: (T) -> R): List<T>
fun <T> Iterable<T>.take(count: Int): List<T>
fun <T> Iterable<T>.takeWhile(test: (T) -> Boolean): List<T>
fun <T> Iterable<T>.drop(count: Int): List<T>
fun <T> Iterable<T>.dropWhile(test: (T) -> Boolean): List<T>
fun <T> Iterable<T>.plus(other: T): List<T>
fun <T> Iterable<T>.toList(): List<T>
fun <T> Iterable<T>.toMutableList(): MutableList<T>
fun <T> Iterable<T>.toSet(): Set<T>
fun <T> Iterable<T>.asSequence(): Sequence<T>
fun <T> Iterable<T>.onEach(use: (T) -> Unit): List<T>
fun <T> Iterable<T>.forEach(use: (T) -> Unit)
fun <T, R> Iterable<T>.map(make: (T) -> R): List<R>
fun <T, R> Iterable<T>.mapNotNull(make: (T) -> R): List<R>
fun <T, R> Iterable<T>.flatMap(make: (T) -> Iterable<R>): List<R>
fun <T, K> Iterable<T>.groupBy(by: (T) -> K): Map<K, List<T>>
fun <T, K> Iterable<T>.associateBy(by: (T) -> K): Map<K, T>
fun <T, V> Iterable<T>.associateWith(make: (T) -> V): Map<T, V>
fun <T> Iterable<T>.partition(test: (T) -> Boolean): Pair<List<T>, List<T>>
fun <T, R> Iterable<T>.zip(other: Iterable<R>): List<Pair<T, R>>
