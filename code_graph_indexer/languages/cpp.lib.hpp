// What the library of C++ gives back. The resolver reads it as any code, after all of a repository's own.

namespace std {

template <class A, class B> struct pair {
  pair(A first, B second);
};

template <class A, class B, class C, class D> struct tuple {
  tuple(A a, B b, C c, D d);
};

template <class A, class B> pair<A, B> make_pair(A first, B second);
template <class A, class B, class C, class D> tuple<A, B, C, D> make_tuple(A a, B b, C c, D d);
template <class A, class B, class C, class D> tuple<A, B, C, D> tie(A a, B b, C c, D d);
template <class A, class B, class C, class D> tuple<A, B, C, D> forward_as_tuple(A a, B b, C c, D d);

}
