// What the library of JavaScript and TypeScript gives back. The resolver reads it as any code, after all of a repository's own.

// What every value has. A promise is worth what it gives.
interface Everything<T> {
  then<R>(use: (value: T) => R): R;
}

interface Array<T> {
  push(...items: T[]): number;
  unshift(...items: T[]): number;
}

interface Map<K, V> {
  set(key: K, value: V): Map<K, V>;
}

interface Set<T> {
  add(value: T): Set<T>;
}

class Promise {
  static resolve<T>(value: T): Promise<T>;
}

class Object {
  static values<T>(values: Record<string, T>): T[];
}

// React, MobX, Lodash and Vue wrap what they are given.
function memo<F>(component: F): F;
function forwardRef<F>(component: F): F;
function observer<F>(component: F): F;
function useCallback<F>(callback: F): F;
function debounce<F>(callback: F): F;
function throttle<F>(callback: F): F;
function memoize<F>(callback: F): F;
function once<F>(callback: F): F;
function markRaw<T>(value: T): T;
// Angular gives an object of a class.
function inject<T>(token: new () => T): T;
