import type { Bag, Loose } from '../types.js'

/** `a.b[1]["c"]` as its names; a list of names is taken as it is. */
export function namesIn(path: string | readonly string[]): readonly string[] {
  if (typeof path !== 'string') return path.map(String)
  return [...path.matchAll(/[^.[\]"']+/g)].map(([name]) => name)
}

/** The value at a path; the fallback where there is none. */
export function getAt(of: Loose, path: string | readonly string[], fallback?: Loose): Loose {
  if (typeof path === 'string' && isKey(of, path)) return of[path] ?? fallback
  let at = of
  for (const name of namesIn(path)) {
    if (at === null || at === undefined) return fallback
    at = at[name]
  }
  return at === undefined ? fallback : at
}

export function hasAt(of: Loose, path: string | readonly string[]): boolean {
  let at = of
  for (const name of namesIn(path)) {
    if (!isKey(at, name)) return false
    at = at[name]
  }
  return true
}

const isKey = (of: Loose, name: string): boolean => of !== null && of !== undefined && Object.hasOwn(Object(of), name)

/** Sets the value at a path; objects on the way are made. */
export function setAt(of: Bag, path: string | readonly string[], value: Loose): void {
  const names = namesIn(path)
  const last = names.at(-1)
  if (last === undefined || names.some(isUnsafe)) return
  let at = of
  for (const [index, name] of names.slice(0, -1).entries()) {
    const next = /^\d+$/.test(names[index + 1] ?? '') ? [] : {}
    if (typeof at[name] !== 'object' || at[name] === null) at[name] = next
    at = at[name]
  }
  at[last] = value
}

const isUnsafe = (name: string): boolean => ['__proto__', 'constructor', 'prototype'].includes(name)

/** One value merged over another: objects by their keys and lists by their places; undefined says nothing. */
export function mergeOver(base: Loose, over: Loose): Loose {
  if (over === undefined) return base
  if (Array.isArray(over)) {
    const under = Array.isArray(base) ? base : []
    return Array.from({ length: Math.max(under.length, over.length) }, (_, at) => mergeOver(under[at], over[at]))
  }
  if (!isPlain(over)) return over
  const merged: Bag = isPlain(base) ? { ...base } : {}
  for (const [key, value] of Object.entries(over)) if (!isUnsafe(key)) merged[key] = mergeOver(merged[key], value)
  return merged
}

function isPlain(value: Loose): value is Bag {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
}
