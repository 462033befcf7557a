import { type AttributeBase, definePlugin, type ValueType } from 'stele'

declare module 'stele' {
  interface AttributeTypes {
    place: AttributeBase & { readonly type: 'place'; readonly north?: boolean }
  }
}

/** A point on the earth: `{ "lat": 52.52, "lng": 13.4 }`. */
const place: ValueType = {
  name: 'place',
  kind: 'value',
  as: 'json',
  operators: 'equality',
  options: { north: { type: 'boolean' } },
  write(value, { attribute }) {
    const { lat, lng } = Object(value)
    if (!isDegree(lat, 90) || !isDegree(lng, 180))
      throw 'must have a lat of at most 90 and a lng of at most 180 degrees'
    if (attribute.north === true && lat < 0) throw 'must be north of the equator'
    return { lat, lng }
  },
  operand() {
    throw 'cannot be compared as a whole; $null and $notNull are possible'
  },
  json: () => ({
    read: {
      type: 'object',
      properties: { lat: { type: 'number' }, lng: { type: 'number' } },
      required: ['lat', 'lng'],
    },
  }),
}

const isDegree = (value: unknown, most: number): value is number => typeof value === 'number' && Math.abs(value) <= most

/** The attribute type `place`. */
export const places = definePlugin({ name: 'places', fieldTypes: [place] })
