import { type Caller, NotFoundError } from '../../../core/index.js'
import type { StaticBody } from '../../../core/plugin-kit.js'
import type { ActionMeta, ExtensionsMeta, ModuleMeta } from '../model/extensions.js'
import type { ConsoleHost } from '../service.js'
import { problemsOf } from './checks.js'
import { ModuleFolder } from './folder.js'
import type { AttributeModule, TitledModule } from './part.js'
import { type Source, sourcesOf } from './sources.js'
import { typesNamed } from './types-named.js'

/** The folder of a source as it was read. */
interface Read extends Source {
  readonly files: ModuleFolder | undefined
}

/** The parts that plugins and the app add to the page. */
export class Extensions {
  readonly #host: ConsoleHost
  readonly #sources: readonly Read[]

  private constructor(host: ConsoleHost, sources: readonly Read[]) {
    this.#host = host
    this.#sources = sources
  }

  /** Reads the modules where they are served, and says what is wrong with them. */
  static async open(host: ConsoleHost): Promise<Extensions> {
    const sources = sourcesOf(host.outline.plugins)
    if (host.purpose !== 'serve') return new Extensions(host, [])
    const read = await Promise.all(
      sources.map(async source => ({ ...source, files: source.folder && (await ModuleFolder.read(source.folder)) })),
    )
    const opened = read.map(source => ({ ...source, files: source.files || undefined }))
    for (const problem of problemsOf(opened, host.outline)) host.log.warn(problem)
    for (const { says, part } of opened)
      for (const origin of part.connects ?? [])
        host.log.info(`${says}: the page of the console may connect to ${origin}`)
    return new Extensions(host, opened)
  }

  /** A file of a folder, under the hash of its content. */
  async file(name: string, hash: string, file: string): Promise<StaticBody> {
    const folder = this.#sources.find(source => source.name === name)?.files
    const body = folder?.hash === hash ? folder.body(file) : undefined
    if (!body) throw new NotFoundError()
    return body
  }

  /** The extensions for an editor: those that need a permission are there for who has it. */
  for(caller: Pick<Caller, 'can'>): ExtensionsMeta {
    const of = <Given extends { readonly module: string; readonly right?: string }, Made>(
      pick: (source: Read) => readonly Given[] | undefined,
      make: (base: ModuleMeta, given: Given, source: Read) => Made,
    ): readonly Made[] =>
      this.#sources.flatMap(source =>
        (pick(source) ?? []).flatMap(given => {
          const address = addressIn(source, given.module)
          if (address === undefined || !isFor(caller, given)) return []
          return [make({ plugin: source.name, name: nameOf(given.module), module: address }, given, source)]
        }),
      )
    const edited = (base: ModuleMeta, given: AttributeModule) => ({ ...base, for: given.for })
    const titled = (base: ModuleMeta, { title }: TitledModule) => ({ ...base, title })
    return {
      fields: of(({ part }) => part.fields, edited),
      cells: of(({ part }) => part.cells, edited),
      pages: of(
        ({ part }) => part.pages,
        (base, page) => ({ ...titled(base, page), path: `${base.plugin}/${page.path}` }),
      ),
      actions: of(
        ({ part }) => part.actions,
        (base, action): ActionMeta => ({
          ...titled(base, action),
          where: action.where,
          ...(action.types && { types: typesNamed(this.#host.types, action.types) }),
        }),
      ),
      widgets: of(({ part }) => part.widgets, titled),
      texts: Object.fromEntries(this.#sources.map(source => [source.name, textsOf(source)])),
    }
  }
}

/** `plugin::colour.report.read` is the action `read` on `plugin::colour.report`. */
function isFor({ can }: Pick<Caller, 'can'>, { right }: { readonly right?: string }): boolean {
  if (right === undefined) return true
  const at = right.lastIndexOf('.')
  return can(right.slice(at + 1), right.slice(0, at))
}

function addressIn({ name, files }: Read, file: string): string | undefined {
  return files?.text(file) === undefined ? undefined : `/console/plugins/${name}/${files.hash}/${file}`
}

const nameOf = (module: string): string => module.replace(/^.*\//, '').replace(/\.js$/, '')

const textsOf = (source: Read): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(source.part.texts ?? {}).flatMap(([language, file]) => {
      const address = addressIn(source, file)
      return address === undefined ? [] : [[language, address]]
    }),
  )
