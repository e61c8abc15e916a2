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
  // The start of a fold stands in brackets of its own.
  def fold[R](make: T => R): R
}

trait Iterable[T] {
  def head: T
  def headOption: T
  def last: T
  def lastOption: T
  def apply(position: Int): T
  def find(test: T => Boolean): T
  def minBy[R](by: T => R): T
  def maxBy[R](by: T => R): T
  def filter(test: T => Boolean): List[T]
  def filterNot(test: T => Boolean): List[T]
  def takeWhile(test: T => Boolean): List[T]
  def dropWhile(test: T => Boolean): List[T]
  def sortBy[R](by: T => R): List[T]
  def sortWith(before: (T, T) => Boolean): List[T]
  def distinctBy[R](by: T => R): List[T]
  def take(count: Int): List[T]
  def drop(count: Int): List[T]
  def tail: List[T]
  def init: List[T]
  def reverse: List[T]
  def distinct: List[T]
  def toList: List[T]
  def toSeq: List[T]
  def toSet: Set[T]
  def foreach(run: T => Unit): Unit
  def map[R](make: T => R): List[R]
  def flatMap[R](make: T => R): List[R]
  def collect[R](make: T => R): List[R]
  def exists(test: T => Boolean): Boolean
  def forall(test: T => Boolean): Boolean
  def count(test: T => Boolean): Int
  def groupBy[K](by: T => K): Map[K, List[T]]
  def foldLeft[R](fold: (R, T) => R): R
  def foldRight[R](fold: (T, R) => R): R
}
trait Seq[T] extends Iterable[T]
trait List[T] extends Iterable[T]
trait Vector[T] extends Iterable[T]
trait Set[T] extends Iterable[T]

trait Map[K, V] {
  def apply(key: K): V
}
