export const version = {
  type: 'object',
  properties: {
    number: { type: 'integer' },
    at: { type: 'string', format: 'date-time', description: 'when this state was replaced' },
    by: { type: 'string', description: 'who replaced it' },
    action: { type: 'string', description: 'by what: update, delete, publish, ...' },
    changed: {
      ...{ type: 'array', items: { type: 'string' } },
      description: 'with `changes`: the attributes that have another value in the state that followed',
    },
  },
  required: ['number', 'at', 'by', 'action'],
}

export const answer = (data: object) => ({
  type: 'object',
  properties: { data, meta: { type: 'object' } },
  required: ['data', 'meta'],
})

export const attributes = { type: 'object', description: 'the attributes of the entry, as they are written' }

export const difference = {
  type: 'object',
  properties: { attribute: { type: 'string' }, from: {}, to: {} },
  required: ['attribute'],
}
