import { BootError, type Registry } from '../../../core/index.js'
import { nearest } from '../../../core/plugin-kit.js'
import type { Base } from '../description/base.js'
import { appKeys } from '../extensions/part.js'
import { checkChange } from './change.js'
import { fieldsIn, type GivenLayout, objectOf } from './given.js'

/** The layouts of `config/console`, by uid; everything that is wrong with them stops the start at once. */
export function declaredLayouts(written: unknown, base: Base, { types }: Pick<Registry, 'types'>) {
  const problems: string[] = []
  const known = new Map([...base.all.values()].map(type => [type.uid, type]))
  const byName = new Map([...types.values()].filter(({ routed }) => routed).map(one => [one.singularName, one.uid]))
  const layouts = new Map<string, GivenLayout>()
  for (const [key, value] of entriesOf(written, 'it', problems)) {
    if (appKeys.some(name => name === key)) continue
    if (key !== 'layouts') {
      problems.push(`${key} is not a setting; there are layouts, ${appKeys.join(', ')}`)
      continue
    }
    for (const [name, layout] of entriesOf(value, key, problems)) {
      const type = known.get(name) ?? known.get(byName.get(name) ?? '')
      if (!type) {
        const meant = nearest(name, [...byName.keys(), ...known.keys()])
        problems.push(`layouts: there is no type "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`)
        continue
      }
      const { change, issues } = checkChange(layout, type, uid => fieldsIn(base.all.get(uid)?.attributes))
      problems.push(...issues.map(({ message }) => `layouts.${name}: ${message}`))
      const { settings = {}, list, edit, fields = {} } = change
      layouts.set(type.uid, { settings, list, edit, fields, source: 'declared' })
    }
  }
  if (problems.length > 0) throw new BootError(problems.map(problem => `config/console: ${problem}`).join('\n'))
  return layouts
}

function entriesOf(value: unknown, what: string, problems: string[]): [string, unknown][] {
  if (value === undefined) return []
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(objectOf(value))
  problems.push(`${what} must be an object`)
  return []
}
