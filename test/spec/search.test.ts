import type { TestApp } from '../../core/index.js'
import { type Body, contract, type ReadCase, reads } from '../support/contract.js'

const types = {
  bed: {
    attributes: {
      name: { type: 'string' },
      text: { type: 'richtext' },
      weight: { type: 'decimal' },
      length: { type: 'float' },
      places: { type: 'integer' },
      serial: { type: 'biginteger' },
      made: { type: 'date' },
      note: { type: 'string', private: true },
      cost: { type: 'integer', private: true },
      shelf: { type: 'string', searchable: false },
      key: { type: 'password' },
    },
  },
} as const

const names = ['Oak', '50% off', 'a_x', 'a-x', 'C:\\temp', 'two * three']

/** Ids count from 1; ids from 7 on have a number each. */
const rows = async ({ entries }: TestApp) => {
  const beds = entries('api::bed.bed')
  for (const name of names)
    await beds.create({ name, text: 'Älp', note: 'Private', cost: 777, shelf: 'left', key: 'k777' })
  await beds.create({ weight: 12.4 })
  await beds.create({ length: 1.14157 })
  await beds.create({ places: 6000 })
  await beds.create({ serial: '999999999999999', made: '2024-06-30' })
}

const ids = ({ data }: Body) => data.map((entry: Body) => entry.id).join()

/** Searches with the same result in both dialects. */
const alike: readonly ReadCase[] = [
  { says: 'whatever the letter case', ask: '?_q=OAK', gives: '1' },
  { says: 'a percent sign means itself', ask: '?_q=%25', gives: '2' },
  { says: 'a backslash means itself', ask: '?_q=%5C', gives: '5' },
  { says: 'a backslash before a letter too', ask: '?_q=:%5Ct', gives: '5' },
  { says: 'an asterisk means itself', ask: '?_q=*', gives: '6' },
  { says: 'an empty one finds everything', ask: '?_q=', gives: '1,2,3,4,5,6,7,8,9,10' },
  { says: 'private attributes are not searched', ask: '?_q=Private', gives: '' },
  { says: 'private numbers are not searched', ask: '?_q=777', gives: '' },
  { says: 'attributes may stay out of a search', ask: '?_q=left', gives: '' },
  { says: 'filters count as well', ask: '?_q=x&filters[name][$endsWith]=-x', gives: '4' },
  { says: 'a text', ask: '?_q[0]=x', fails: { status: 400 } },
]

contract('a search in spec', { types, rows }, api => {
  reads(api, '/beds', ids, [
    ...alike,
    { says: 'all of Unicode is folded', ask: '?_q=%C3%84LP&filters[id][$lt]=3', gives: '1,2' },
    { says: 'an underscore means itself', ask: '?_q=_', gives: '3' },
    { says: 'numbers are not searched', ask: '?_q=12.4', gives: '' },
    { says: 'nor are ids', ask: '?_q=4', gives: '' },
  ])
})

contract('a search in strapi4', { types, rows, rest: { dialect: 'strapi4' } }, api => {
  reads(api, '/beds', ids, [
    ...alike,
    { says: 'an underscore is a wildcard', ask: '?_q=a_x', gives: '3,4' },
    { says: 'a decimal', ask: '?_q=12.4', gives: '7' },
    { says: 'a part of a number', ask: '?_q=2.4', gives: '7' },
    { says: 'a float', ask: '?_q=1.14157', gives: '8' },
    { says: 'an integer, and the id that has the digit', ask: '?_q=6', gives: '6,9' },
    { says: 'a biginteger', ask: '?_q=999999999999999', gives: '10' },
    { says: 'ids as text', ask: '?_q=1', gives: '1,7,8,10' },
    { says: 'a text that is no number looks at no number', ask: '?_q=12.4x', gives: '' },
    { says: 'dates are not searched', ask: '?_q=2024-06-30', gives: '' },
  ])
})
