<?php

// What the libraries of PHP give back. The resolver reads it as any code, after all of a repository's own.

/** @template T */
class Collection
{
    /** @return T */
    public function first() {}
    /** @return T */
    public function last() {}
    /** @return T */
    public function firstWhere() {}
    /** @return T */
    public function find() {}
    /** @return Collection<T> */
    public function __call() {}
}

// A model of Eloquent asks for itself: what it lacks, its query has. A relation asks for the model that its class names.
class Model
{
    public static function __callStatic(): static {}
    public function __call(): static {}
    /** @return Collection<static> */
    public static function all() {}
    /** @return Collection<static> */
    public static function get() {}
    /** @return Collection<static> */
    public static function paginate() {}
    /** @return Collection<static> */
    public static function simplePaginate() {}
    /** @return Collection<static> */
    public static function cursor() {}
    /**
     * @template T
     * @param class-string<T> $related
     * @return T
     */
    public function belongsTo($related) {}
    /**
     * @template T
     * @param class-string<T> $related
     * @return T
     */
    public function hasOne($related) {}
    /**
     * @template T
     * @param class-string<T> $related
     * @return Relation<T>
     */
    public function hasMany($related) {}
    /**
     * @template T
     * @param class-string<T> $related
     * @return Relation<T>
     */
    public function belongsToMany($related) {}
    /**
     * @template T
     * @param class-string<T> $related
     * @return Relation<T>
     */
    public function hasManyThrough($related) {}
    /**
     * @template T
     * @param class-string<T> $related
     * @return T
     */
    public function hasOneThrough($related) {}
    /**
     * @template T
     * @param class-string<T> $related
     * @return T
     */
    public function morphOne($related) {}
    /**
     * @template T
     * @param class-string<T> $related
     * @return Relation<T>
     */
    public function morphMany($related) {}
}

class Authenticatable extends Model {}
class User extends Model {}
class Pivot extends Model {}

/** @template T */
class Relation
{
    /** @return T */
    public function first() {}
    /** @return T */
    public function firstOrFail() {}
    /** @return T */
    public function find() {}
    /** @return T */
    public function create() {}
    /** @return Collection<T> */
    public function get() {}
    /** @return Collection<T> */
    public function paginate() {}
    /** @return Relation<T> */
    public function __call() {}
}

/**
 * @template T
 * @param class-string<T> $abstract
 * @return T
 */
function app($abstract) {}
/**
 * @template T
 * @param class-string<T> $abstract
 * @return T
 */
function resolve($abstract) {}
