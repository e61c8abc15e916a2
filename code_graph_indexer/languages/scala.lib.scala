// What the library of Scala gives back. The resolver reads it as any code, after all of a repository's own.

// What every value has. A wrapper such as Option or Future is worth what it holds.
trait Everything[T] {
  def get: T
  def getOrElse(other: T): T
  def orNull: T
  def copy(): T
  def filter(test: T => Boolean): T
  def foreach(run: T => Unit): Unit
  def map[R](make: T => R): R
  def flatMap[R](make: T => R): R
  def collect[R](make: T => R): R
  def exists(test: T => Boolean): Boolean
  def forall(test: T => Boolean): Boolean
  def apply(position: Int): T
}

trait Map[K, V] {
  def apply(key: K): V
}
