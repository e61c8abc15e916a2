//! What the library of Rust gives back. The resolver reads it as any code, after all of a repository's own.

/// What every value has. A wrapper such as Box or Arc is worth what it holds.
pub struct Everything<T> {
    await: T,
}

impl<T> Everything<T> {
    fn unwrap(self) -> T;
    fn expect(self, message: &str) -> T;
    fn unwrap_or(self, other: T) -> T;
    fn unwrap_or_default(self) -> T;
    fn unwrap_or_else(self, make: F) -> T;
    fn ok(self) -> T;
    fn as_ref(&self) -> &T;
    fn as_mut(&mut self) -> &mut T;
    fn as_deref(&self) -> &T;
    fn as_deref_mut(&mut self) -> &mut T;
    fn clone(&self) -> T;
    fn cloned(self) -> T;
    fn copied(self) -> T;
    fn to_owned(&self) -> T;
    fn into_inner(self) -> T;
    fn borrow(&self) -> &T;
    fn borrow_mut(&self) -> &mut T;
    fn lock(&self) -> &mut T;
    fn map<R>(self, make: fn(T) -> R) -> R;
    fn and_then<R>(self, make: fn(T) -> R) -> R;
    fn map_or<R>(self, other: R, make: fn(T) -> R) -> R;
    fn map_or_else<R>(self, other: F, make: fn(T) -> R) -> R;
    fn is_some_and(self, test: fn(T) -> bool) -> bool;
    fn filter(self, test: fn(T) -> bool) -> T;
    fn for_each(self, run: fn(T));
}
