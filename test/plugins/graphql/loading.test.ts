import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'vitest'

const folder = path.resolve('plugins/graphql')

/** The modules of the plugin that its index imports at once, and the packages that they import. */
function importedBy(file: string, seen: Set<string>, packages: Set<string>): void {
  if (seen.has(file)) return
  seen.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)'$/gm)
  for (const [, name = ''] of imports) {
    const target = path.resolve(path.dirname(file), name.replace(/\.js$/, '.ts'))
    if (!name.startsWith('.')) packages.add(name)
    else if (target.startsWith(folder)) importedBy(target, seen, packages)
  }
}

it('a server without GraphQL loads nothing of its package', () => {
  const [seen, packages] = [new Set<string>(), new Set<string>()]
  importedBy(path.join(folder, 'index.ts'), seen, packages)
  const parts = [...seen].map(file => path.relative(folder, file))
  assert.ok(parts.includes('http/endpoint.ts'), parts.join())
  assert.ok(!packages.has('graphql'), [...packages].join())
  assert.ok(!parts.includes('service.ts') && !parts.some(part => part.startsWith('query/')), parts.join())
})
