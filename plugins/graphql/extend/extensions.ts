import type {} from 'graphql'
import type { MadeTypes, More, OwnFields } from '../model/parts.js'
import type { SdlParts } from './sdl-parts.js'

/** Additions of a plugin: fields of the roots, fields of types that the content has, and types. */
export interface Addition extends More {
  /** Fields by the name of the object type that gets them; their source is the entry with all columns that the caller may read. */
  readonly fields?: Readonly<Record<string, OwnFields>>
}

/** Makes additions from the types of the content. */
export type Extension = (made: MadeTypes) => Addition

/** The additions of other plugins, gathered while they register: the schema is made once all have. */
export class Extensions {
  readonly #makers: Extension[] = []
  readonly #texts: SdlParts[] = []
  #isRead = false

  add(extension: Extension | SdlParts): void {
    if (this.#isRead) throw new Error('the schema of GraphQL is made already; it is extended in `register` of a plugin')
    if (typeof extension === 'function') this.#makers.push(extension)
    else this.#texts.push(extension)
  }

  /** All of them; none can be added any more. */
  read(): { readonly makers: readonly Extension[]; readonly texts: readonly SdlParts[] } {
    this.#isRead = true
    return { makers: this.#makers, texts: this.#texts }
  }
}
