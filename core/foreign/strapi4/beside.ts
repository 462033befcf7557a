import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Definition } from '../../schema/types.js'

/** The folders of an API in `src/api`, each with the factory of Strapi that makes its part of a type. */
const parts = [
  ['routes', 'createCoreRouter'],
  ['controllers', 'createCoreController'],
  ['services', 'createCoreService'],
] as const

/**
 * The router, the controller and the service that Strapi 4 wants beside the schema of a type before it serves it; without the
 * router no paths lead to the type here, too. Files that are there stay as they are.
 */
export function partsBeside(appDir: string, added: readonly Definition[]): ReadonlyMap<string, string> {
  const isTyped = existsSync(join(appDir, 'tsconfig.json'))
  return new Map(
    added.flatMap(({ uid, source }) => {
      const [, api] = /^src\/api\/([^/]+)\/content-types\//.exec(source) ?? []
      const name = uid.slice(uid.indexOf('.') + 1)
      if (api === undefined) return []
      return parts.flatMap(([folder, factory]) => {
        const file = `src/api/${api}/${folder}/${name}`
        if (['js', 'ts'].some(ending => existsSync(join(appDir, `${file}.${ending}`)))) return []
        return [[`${file}.${isTyped ? 'ts' : 'js'}`, (isTyped ? typed : plain)(factory, uid)] as const]
      })
    }),
  )
}

const plain = (factory: string, uid: string): string =>
  `'use strict'\n\nconst { ${factory} } = require('@strapi/strapi').factories\n\nmodule.exports = ${factory}('${uid}')\n`

const typed = (factory: string, uid: string): string =>
  `import { factories } from '@strapi/strapi'\n\nexport default factories.${factory}('${uid}')\n`
