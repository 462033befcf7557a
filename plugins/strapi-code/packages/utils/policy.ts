import type { Bag, Fn, Loose } from '../../types.js'

/** The parts of what policies are told: the context's own, and the kind of request that it is. */
export const createPolicyContext = (type: string, ctx: Loose): Bag =>
  Object.assign({ is: (name: string) => name === type, type }, ctx)

interface Policy {
  readonly name?: string
  readonly handler: Fn
  readonly validator?: Fn
}

/** A policy that looks at its own settings first. */
export function createPolicy({ name = 'unnamed', validator, handler }: Policy) {
  return {
    name,
    validator: (config: Loose) => {
      try {
        validator?.(config)
      } catch (cause) {
        throw new Error(`Invalid config passed to "${name}" policy.`, { cause })
      }
    },
    handler,
  }
}

export const policy = { createPolicy, createPolicyContext }
