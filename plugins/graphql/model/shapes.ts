import type { Catalogue } from './catalogue.js'
import type { ModelSettings } from './parts.js'
import type { Shape } from './shape.js'
import { flat } from './shape-flat.js'
import { v4 } from './shape-v4.js'

const shapes = { v4, flat } as const

/** The shape of the schema that an app has chosen. */
export const shapeOf = ({ shape = 'v4' }: ModelSettings): Shape<Catalogue> => shapes[shape]
