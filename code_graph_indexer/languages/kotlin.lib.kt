// What the library of Kotlin gives back. The resolver reads it as any code, after all of a repository's own.
package lib

// What every value has. A wrapper such as Deferred or Lazy is worth what it holds.
interface Everything<T> {
    val value: T
    fun get(): T
    fun await(): T
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

class ArrayList<T>
class ArrayDeque<T>
class HashSet<T>
class LinkedHashSet<T>
class HashMap<K, V>
class LinkedHashMap<K, V>
