import type { Body } from '../support/contract.js'

export * from '../support/contract.js'

/** The query string of a search. */
export const q = (text: string): string => `?_q=${encodeURIComponent(text)}`

/** The ids of a list, whatever their order. */
export const sorted = ({ data }: Body): string =>
  data
    .map((entry: Body) => String(entry.id))
    .sort()
    .join()
