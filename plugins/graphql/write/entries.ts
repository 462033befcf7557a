import type { AskOptions, Finished } from '../../../core/index.js'

/** Asks for nothing but the id of an entry that is written, which is read for the response afterwards. */
export const onlyId = {
  options: {
    query: 'fields[0]=id',
    whole: true,
    shape: { key: 'the id alone', entry: 'plain', one: entry => entry?.id ?? null, many: entries => entries },
  } satisfies AskOptions,
  of: (answer: Finished): number => Number(answer.value()),
} as const
