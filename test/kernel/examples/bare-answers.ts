import { definePlugin } from '../../../core/index.js'

/** Answers without envelopes: `rest.format: 'bare'` for all types, `options.format` for one. */
export const bareAnswers = definePlugin({
  name: 'bare-answers',
  formats: {
    bare: {
      entry: 'plain',
      one: entry => entry,
      many: (entries, { pagination }) => ({ items: entries, total: pagination?.total }),
      error: ({ status, message }) => ({ status, message }),
    },
  },
})
