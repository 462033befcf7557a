import { BootError } from '../../../core/index.js'
import { nearest } from '../../../core/plugin-kit.js'
import { placeholdersIn } from '../model/preview.js'
import type { Base, BaseType } from './base.js'

/** `console.config.preview`: the address of a preview by the name of the type, or its uid. */
type PreviewSettings = Readonly<Record<string, string>>

/** The addresses of previews by uid; everything that is wrong with them stops the start at once. */
export function previewsOf(settings: PreviewSettings, all: readonly BaseType[]): ReadonlyMap<string, string> {
  const types = all.filter(({ path }) => path !== undefined)
  const problems: string[] = []
  const found = new Map<string, string>()
  for (const [name, address] of Object.entries(settings)) {
    const type = types.find(({ uid, singular }) => uid === name || singular === name)
    if (type) {
      found.set(type.uid, address)
      problems.push(...problemsOf(address, type).map(problem => `preview.${name}: ${problem}`))
    } else problems.push(`preview: there is no type "${name}"${meant(name, types.flatMap(namesOf))}`)
  }
  if (problems.length > 0) throw new BootError(problems.map(problem => `config/plugins: console.${problem}`).join('\n'))
  return found
}

/** The description with the addresses of previews. */
export function withPreviews(base: Base, settings: PreviewSettings): Base {
  const found = previewsOf(settings, base.types)
  const previewed = (type: BaseType): BaseType => {
    const preview = found.get(type.uid)
    return preview === undefined ? type : { ...type, preview }
  }
  return { ...base, types: base.types.map(previewed) }
}

const namesOf = ({ uid, singular }: BaseType): readonly string[] => [singular, uid]

function problemsOf(address: string, { uid, attributes }: BaseType): readonly string[] {
  const fields = attributes.filter(({ kind, type }) => kind === 'field' && type !== 'password').map(({ name }) => name)
  const known = ['id', ...fields]
  const unknown = placeholdersIn(address).filter(name => !known.includes(name))
  const filled = address.replaceAll(/\{[^{}]*\}/g, 'x')
  const isAddress = (filled.startsWith('/') || /^https?:\/\//.test(filled)) && URL.canParse(filled, 'https://a.example')
  return [
    ...unknown.map(name => `{${name}} is no attribute of ${uid} with a value${meant(name, known)}`),
    ...(isAddress && !/[{}]/.test(filled)
      ? []
      : [`"${address}" is no address such as https://example.com/preview?slug={slug}`]),
  ]
}

function meant(name: string, names: readonly string[]): string {
  const found = nearest(name, [...names])
  return found === undefined ? '' : `; did you mean "${found}"?`
}
