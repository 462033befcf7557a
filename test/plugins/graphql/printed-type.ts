import assert from 'node:assert/strict'
import { type GraphQLNamedType, printType } from 'graphql'

/** A type in SDL as version 16 of graphql-js prints it: version 17 has two spaces in an empty object. */
export function printedType(type: GraphQLNamedType | null | undefined): string {
  assert.ok(type, 'there is no such type')
  return printType(type).replaceAll('{  }', '{}')
}
