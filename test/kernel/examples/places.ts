import { type Arithmetic, type AttributeBase, definePlugin, type Measure, type ValueType } from '../../../core/index.js'

declare module 'stele' {
  interface AttributeTypes {
    place: AttributeBase & { readonly type: 'place'; readonly north?: boolean }
  }
}

interface Around {
  readonly lat: number
  readonly lng: number
  readonly km: number | undefined
}

const radius = 6371
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** `filters[place][$near]=52.52,13.4,5` and `sort[place][$near]=52.52,13.4`. */
const near: Measure<Around> = {
  describe: 'lies within so many kilometres of a latitude and longitude',
  schema: { type: 'string', pattern: '^[^,]+,[^,]+(,[^,]+)?$', examples: ['52.52,13.4,5'] },
  read(value) {
    const [lat, lng, km] = String(value).split(',').map(Number)
    if (!isDegree(lat, 90) || !isDegree(lng, 180)) throw 'takes a latitude and a longitude, such as 52.52,13.4'
    if (km !== undefined && !(km >= 0)) throw `takes kilometres of at least 0, not ${value}`
    return { lat, lng, km }
  },
  number: (of, { lat, lng }) => chord(of, radians(lat), radians(lng)),
  atMost({ km }) {
    if (km === undefined) throw 'takes kilometres behind the place, such as 52.52,13.4,5'
    return Math.sin(Math.min(km / radius, Math.PI) / 2) ** 2 * 4
  },
}

/** The square of the straight line between two points of a globe of radius 1, which grows with the distance. */
function chord({ part, plus, minus, times, sin, cos }: Arithmetic, lat: number, lng: number) {
  const [ownLat, ownLng] = [times(part('lat'), Math.PI / 180), times(part('lng'), Math.PI / 180)]
  const x = minus(times(cos(ownLat), cos(ownLng)), Math.cos(lat) * Math.cos(lng))
  const y = minus(times(cos(ownLat), sin(ownLng)), Math.cos(lat) * Math.sin(lng))
  const z = minus(sin(ownLat), Math.sin(lat))
  return plus(times(x, x), times(y, y), times(z, z))
}

/** A point on the earth: `{ "lat": 52.52, "lng": 13.4 }`. */
const place: ValueType = {
  name: 'place',
  kind: 'value',
  as: 'json',
  operators: 'equality',
  measures: { $near: near },
  options: { north: { type: 'boolean' } },
  write(value, { attribute }) {
    const { lat, lng } = Object(value)
    if (!isDegree(lat, 90) || !isDegree(lng, 180))
      throw 'must have a lat of at most 90 and a lng of at most 180 degrees'
    if (attribute.north === true && lat < 0) throw 'must be north of the equator'
    return { lat, lng }
  },
  operand() {
    throw 'cannot be compared as a whole; $near, $null and $notNull are possible'
  },
  json: () => ({
    read: {
      type: 'object',
      properties: { lat: { type: 'number' }, lng: { type: 'number' } },
      required: ['lat', 'lng'],
    },
  }),
}

function isDegree(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most
}

/** The attribute type `place`. */
export const places = definePlugin({ name: 'places', fieldTypes: [place] })
