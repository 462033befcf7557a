import type { AnyLink, AnyResource, AnyType, Style } from './schema.js'

/** An entry as the response has it for such `fields` and `populate`. */
export type Entry<T extends AnyResource, F = '*', P = undefined> = T['style'] extends 'unknown'
  ? unknown
  : T['style'] extends 'plain'
    ? Flat<T, F, P, 'plain'>
    : unknown extends T['meta']
      ? { id: number; attributes: Attributes<T, F, P, 'nested'> }
      : { id: number; attributes: Attributes<T, F, P, 'nested'>; meta: T['meta'] }

/** The chosen fields, and the populated links. */
type Attributes<T extends AnyType, F, P, S extends Style> = {
  [K in Chosen<T, F> | Populated<T, P>]: Attribute<T, K, F, P, S>
}

/** An entry, or a component, without an envelope. */
type Flat<T extends AnyType, F, P, S extends Style> = {
  [K in 'id' | Chosen<T, F> | Populated<T, P>]: K extends 'id' ? number : Attribute<T, K, F, P, S>
}

/** The same with the name of its type. */
type Named<Key extends string, U, T extends AnyType, F, P, S extends Style> = {
  [K in Key | 'id' | Chosen<T, F> | Populated<T, P>]: K extends Key
    ? U
    : K extends 'id'
      ? number
      : Attribute<T, K, F, P, S>
}

type Attribute<T extends AnyType, K, F, P, S extends Style> = K extends keyof T['fields']
  ? T['fields'][K] | Unsure<F>
  : K extends keyof T['links']
    ? T['links'][K] extends infer L extends AnyLink
      ? P extends string
        ? Value<L, undefined, undefined, S>
        : P extends readonly unknown[]
          ? Value<L, undefined, undefined, S> | Unsure<P>
          : K extends keyof P
            ? Value<L, FieldsIn<P[K]>, PopulateIn<P[K]>, S, P[K]> | (false extends P[K] ? undefined : never)
            : never
      : never
    : never

/** A list of names that is only known when the program runs may lack any of them. */
type Unsure<List> = List extends readonly unknown[] ? (number extends List['length'] ? undefined : never) : never

type Chosen<T extends AnyType, F> = [F] extends [undefined]
  ? keyof T['fields']
  : F extends readonly []
    ? never
    : '*' extends Names<F>
      ? keyof T['fields']
      : Extract<Names<F>, keyof T['fields']>

type Names<F> = F extends readonly (infer Name)[] ? Name : F

type Populated<T extends AnyType, P> = P extends string
  ? P extends '*'
    ? keyof T['links']
    : Extract<P, keyof T['links']>
  : P extends readonly (infer Name)[]
    ? Extract<Name, keyof T['links']>
    : { [K in keyof P & keyof T['links']]: P[K] extends false | undefined ? never : K }[keyof P & keyof T['links']]

type FieldsIn<Q> = Q extends { readonly fields: infer F } ? F : undefined
type PopulateIn<Q> = Q extends { readonly populate: infer P } ? P : undefined

/** The value of a populated link in a response. */
type Value<L extends AnyLink, F, P, S extends Style, Q = undefined> = Q extends { readonly count: true }
  ? L['as'] extends 'part' | 'parts'
    ? { count: number }
    : S extends 'nested'
      ? { data: { attributes: { count: number } } }
      : { count: number }
  : L['to'] extends infer To
    ? To extends AnyType
      ? Values<To, F, P, S, L['or']>[L['as'] & keyof Values<To, F, P, S, L['or']>]
      : Varied<To, Q, S, L['or']>[L['as'] & keyof Varied<To, Q, S, L['or']>]
    : never

interface Values<T extends AnyType, F, P, S extends Style, Or> {
  one: S extends 'nested' ? { data: Nested<T, F, P> | Or } : Flat<T, F, P, S> | Or
  many: S extends 'nested' ? { data: Nested<T, F, P>[] | Or } : Flat<T, F, P, S>[] | Or
  part: Flat<T, F, P, S> | Or
  parts: Flat<T, F, P, S>[] | Or
}

type Nested<T extends AnyType, F, P> = { id: number; attributes: Attributes<T, F, P, 'nested'> }

/** Results of links to entries of several types. */
interface Varied<Zone, Q, S extends Style, Or> {
  zone: ItemOf<'__component', Zone, Q, S>[] | Or
  any: S extends 'nested' ? { data: AnyOf<Zone, Q> | Or } : ItemOf<'__type', Zone, Q, S> | Or
  anyMany: S extends 'nested' ? { data: AnyOf<Zone, Q>[] | Or } : ItemOf<'__type', Zone, Q, S>[] | Or
  plainAny: UntypedOf<Zone, Q> | Or
  plainAnyMany: ItemOf<'__type', Zone, Q, 'plain'>[] | Or
}

type ItemOf<Key extends string, Zone, Q, S extends Style> = {
  [U in Standing<Zone, Q>]: Zone[U] extends infer T extends AnyType
    ? Named<Key, U, T, FieldsIn<QueryOn<Q, U>>, PopulateOn<T, Q, U>, S>
    : never
}[Standing<Zone, Q>]

type AnyOf<Zone, Q> = {
  [U in Standing<Zone, Q>]: Zone[U] extends infer T extends AnyType
    ? { id: number; attributes: TypedAttributes<U, T, FieldsIn<QueryOn<Q, U>>, PopulateOn<T, Q, U>> }
    : never
}[Standing<Zone, Q>]

type TypedAttributes<U, T extends AnyType, F, P> = {
  [K in '__type' | Chosen<T, F> | Populated<T, P>]: K extends '__type' ? U : Attribute<T, K, F, P, 'nested'>
}

type UntypedOf<Zone, Q> = {
  [U in Standing<Zone, Q>]: Zone[U] extends infer T extends AnyType
    ? Flat<T, FieldsIn<QueryOn<Q, U>>, PopulateOn<T, Q, U>, 'plain'>
    : never
}[Standing<Zone, Q>]

/** The types in the query's `on`, or all. */
type Standing<Zone, Q> = Q extends { readonly on: infer On }
  ? { [U in keyof On & keyof Zone]: On[U] extends false | undefined ? never : U }[keyof On & keyof Zone]
  : keyof Zone

type QueryOn<Q, U> = Q extends { readonly on: infer On } ? (U extends keyof On ? On[U] : undefined) : undefined

/** A populate that all types share is asked of those that know the name. */
type PopulateOn<T extends AnyType, Q, U> = Q extends { readonly on: unknown }
  ? PopulateIn<QueryOn<Q, U>>
  : PopulateIn<Q> extends '*'
    ? '*'
    : Extract<Names<PopulateIn<Q>>, keyof T['links']>
