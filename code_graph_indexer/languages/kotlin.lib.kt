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
