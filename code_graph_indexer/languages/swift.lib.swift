// What the library of Swift gives back. The resolver reads it as any code, after all of a repository's own.

// What every value has. An optional is worth what it holds.
protocol Everything<T> {
    func map<R>(_ make: (T) -> R) -> R
    func flatMap<R>(_ make: (T) -> R) -> R
}

protocol Sequence<T> {
    func map<R>(_ make: (T) -> R) -> [R]
    func compactMap<R>(_ make: (T) -> R) -> [R]
    func flatMap<R>(_ make: (T) -> R) -> R
    func sorted(by before: (T, T) -> Bool) -> [T]
    func sort(by before: (T, T) -> Bool)
    func max(by before: (T, T) -> Bool) -> T
    func min(by before: (T, T) -> Bool) -> T
    func drop(while test: (T) -> Bool) -> [T]
    func prefix(while test: (T) -> Bool) -> [T]
    func contains(where test: (T) -> Bool) -> Bool
    func allSatisfy(_ test: (T) -> Bool) -> Bool
    func firstIndex(where test: (T) -> Bool) -> Int
    func lastIndex(where test: (T) -> Bool) -> Int
    func removeAll(where test: (T) -> Bool)
    func reduce<R>(_ start: R, _ fold: (R, T) -> R) -> R
}
protocol Array<T>: Sequence<T> {}
protocol Set<T>: Sequence<T> {}

protocol Dictionary<K, V> {
    func mapValues<R>(_ make: (V) -> R) -> [K: R]
    func compactMapValues<R>(_ make: (V) -> R) -> [K: R]
}
