/** An attribute of each type. */
export const everyField = {
  ...Object.fromEntries(
    ['string', 'text', 'richtext', 'email', 'uid', 'date', 'time', 'datetime', 'timestamp', 'integer', 'biginteger']
      .concat(['float', 'decimal', 'boolean', 'json', 'array', 'blocks', 'password'])
      .map(type => [type, { type }]),
  ),
  choice: { type: 'enumeration', enum: ['a', 'b c', 'd&e'] },
  hidden: { type: 'string', private: true },
}

const many = (target: string) => ({ type: 'relation', relation: 'manyToMany', target })

/** Types with attributes of each type, and links of each kind. */
export const everyType = {
  components: {
    'shared.part': { attributes: { ...everyField, others: many('api::thing.thing') } },
    // Attributes of the same names have other types here.
    'shared.other': {
      attributes: {
        string: { type: 'integer' },
        integer: { type: 'integer', required: true },
        choice: { type: 'enumeration', enum: ['a', 'z'] },
        part: { type: 'string' },
      },
    },
    'shared.whole': { attributes: { part: { type: 'component', component: 'shared.part' } } },
  },
  types: {
    thing: {
      options: { draftAndPublish: true, populateCreatorFields: true },
      attributes: {
        ...everyField,
        things: many('api::thing.thing'),
        picture: { type: 'media' },
        pictures: { type: 'media', multiple: true },
        whole: { type: 'component', component: 'shared.whole' },
        parts: { type: 'component', component: 'shared.part', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.part', 'shared.whole', 'shared.other'] },
        anything: { type: 'relation', relation: 'morphToMany' },
      },
    },
    settings: { kind: 'singleType', pluralName: 'all-settings', attributes: everyField },
  },
}
