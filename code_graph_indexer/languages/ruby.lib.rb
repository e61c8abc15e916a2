# What the libraries of Ruby give back. The resolver reads it as any code, after all of a repository's own.

# The rows that a query of Active Record finds. What it lacks, such as a scope, is a query too.
# @generic T
class Relation
  # @return [T]
  def first; end

  # @return [T]
  def first!; end

  # @return [T]
  def last; end

  # @return [T]
  def take; end

  # @return [T]
  def sole; end

  # @return [T]
  def find; end

  # @return [T]
  def find_by; end

  # @return [T]
  def find_by!; end

  # @return [T]
  def find_or_create_by; end

  # @return [T]
  def find_or_create_by!; end

  # @return [T]
  def find_or_initialize_by; end

  # @return [T]
  def new; end

  # @return [T]
  def build; end

  # @return [T]
  def create; end

  # @return [T]
  def create!; end

  # @return [Relation<T>]
  def method_missing; end
end

module ActiveRecord
  class Base
    # @return [self]
    def self.first; end

    # @return [self]
    def self.last; end

    # @return [self]
    def self.take; end

    # @return [self]
    def self.find; end

    # @return [self]
    def self.find_by; end

    # @return [self]
    def self.find_by!; end

    # @return [self]
    def self.find_or_create_by; end

    # @return [self]
    def self.find_or_create_by!; end

    # @return [self]
    def self.find_or_initialize_by; end

    # @return [self]
    def self.create; end

    # @return [self]
    def self.create!; end

    # @return [Relation<self>]
    def self.method_missing; end
  end
end
