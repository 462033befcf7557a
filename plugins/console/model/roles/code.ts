import type { Draft, Drafts } from './drafts.js'
import { actionOf, keyOf, type Right, type Role, type RoleType, rights } from './types.js'

type Coded = true | Readonly<Record<string, unknown>>
type Section = Map<string, Coded>

/** The role as `editors` of `config/permissions` declares it; what cannot be said there stands in comments. */
export function editorsText(
  role: Pick<Role, 'code' | 'name' | 'description' | 'types' | 'kept'>,
  drafts: Drafts,
): string {
  const sections = new Map<string, Section>()
  const left: string[] = []
  const put = (key: string, action: string, value: Coded) => {
    const section = sections.get(key) ?? new Map<string, Coded>()
    sections.set(key, section.set(action, value))
  }
  for (const type of role.types)
    for (const right of rights) {
      const draft = drafts.get(keyOf({ action: actionOf(right), subject: type.uid }))
      if (draft) addRight({ type, right, draft }, put, left)
    }
  for (const draft of drafts.values()) if (draft.subject === null) addAction(draft, put, left)
  for (const { action, subject, isPlain } of role.kept)
    if (isPlain) put(...splitAction(action), true)
    else left.push(`${action}${subject === null ? '' : ` on ${subject}`}`)
  const lines = [
    ...[`name: ${quoted(role.name)},`, ...(role.description ? [`description: ${quoted(role.description)},`] : [])],
    ...[...sections].map(([key, section]) => `${nameText(key)}: ${sectionText(section)},`),
    ...left.map(what => `// in the database, and not written here: ${what}`),
  ]
  const inner = lines.flatMap(line => line.split('\n')).map(line => `    ${line}`)
  return ['editors: {', `  ${nameText(role.code)}: {`, ...inner, '  },', '},', ''].join('\n')
}

type Put = (key: string, action: string, value: Coded) => void

interface Placed {
  readonly type: RoleType
  readonly right: Right
  readonly draft: Draft
}

function addRight({ type, right, draft }: Placed, put: Put, left: string[]): void {
  const { fields, parts, locales } = draft
  if (!isSayable(draft, `${type.key}.${right}`, left)) return
  const limits = {
    ...(fields && fields.length < type.fields.length && { fields: [...fields, ...parts] }),
    ...(type.localized && locales && { locales }),
    ...whereOf(draft),
  }
  put(type.key, right, Object.keys(limits).length === 0 ? true : limits)
}

function addAction(draft: Draft, put: Put, left: string[]): void {
  if (!isSayable(draft, draft.action, left)) return
  const where = whereOf(draft)
  put(...splitAction(draft.action), where.where === undefined ? true : where)
}

/** False if a permission has conditions of the project alone: without them it would hold for all entries. */
function isSayable({ where, otherConditions }: Draft, name: string, left: string[]): boolean {
  for (const condition of otherConditions) left.push(`${name}: the condition ${condition}`)
  return otherConditions.length === 0 || where.length > 0
}

const whereOf = ({ where }: Draft): { readonly where?: string | readonly string[] } =>
  where.length === 0 ? {} : { where: where.length === 1 ? (where[0] as string) : where }

/** The plugin of an action, and the rest of it: `plugin::upload` and `assets.create`. */
function splitAction(action: string): [string, string] {
  const dot = action.indexOf('.')
  return [action.slice(0, dot), action.slice(dot + 1)]
}

function sectionText(section: Section): string {
  if ([...section.values()].every(value => value === true)) return listText([...section.keys()])
  const lines = [...section].map(([action, value]) => `  ${nameText(action)}: ${valueText(value)},`)
  return ['{', ...lines, '}'].join('\n')
}

const valueText = (value: Coded): string =>
  value === true
    ? 'true'
    : `{ ${Object.entries(value)
        .map(([name, one]) => `${name}: ${Array.isArray(one) ? listText(one) : quoted(String(one))}`)
        .join(', ')} }`

const listText = (texts: readonly string[]): string => `[${texts.map(quoted).join(', ')}]`
const nameText = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name))
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
