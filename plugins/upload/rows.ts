import type { Entry } from '../../core/index.js'

/** A file as the table of Strapi 4 has it. */
export interface FileRow {
  readonly id: number
  readonly name: string
  readonly alternativeText: string | null
  readonly caption: string | null
  readonly width: number | null
  readonly height: number | null
  readonly formats: Readonly<Record<string, FormatRow>> | null
  readonly hash: string
  readonly ext: string | null
  readonly mime: string
  readonly size: number
  readonly url: string
  readonly provider: string
  /** The storage's own notes, and the focal point. */
  readonly provider_metadata?: Readonly<Record<string, unknown>> | null
}

/** A smaller version of a picture, inside the row of its original. */
export interface FormatRow {
  readonly name: string
  readonly hash: string
  readonly ext: string | null
  readonly mime: string
  readonly path: null
  readonly width: number
  readonly height: number
  readonly size: number
  readonly sizeInBytes: number
  readonly url: string
}

/** The storage key of a file, or of one of its formats. */
export const keyOf = ({ hash, ext }: Pick<FileRow, 'hash' | 'ext'>): string => hash + (ext ?? '')

/** All storage keys of a file. */
export function keysOf({ formats, ...file }: Pick<FileRow, 'hash' | 'ext' | 'formats'>): string[] {
  return [keyOf(file), ...Object.values(formats ?? {}).map(keyOf)]
}

/** Sizes are kept in units of a thousand bytes, with two digits behind the point. */
export const kilobytes = (bytes: number): number => Math.round(bytes / 10) / 100

/** A note of the files that a request has created, for its retries. */
export const noteOf = (files: readonly Entry[]): string => JSON.stringify(files.map(({ id }) => Number(id)))
export const idsOf = (note: string): readonly number[] => JSON.parse(note)
