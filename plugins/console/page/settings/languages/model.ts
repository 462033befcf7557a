/** A language as `GET /i18n/locales` has it. */
export interface Language {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly isDefault: boolean
}

/** The number of entries in a language, by type. */
export interface EntryCount {
  readonly uid: string
  readonly name: string
  readonly count: number
}

export const languagesUrl = '/console/api/i18n/locales'
