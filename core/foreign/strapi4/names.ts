import type { ForeignNames } from '../../layout/foreign.js'

/** Strapi 4, as messages call it. */
export const strapi4Names: ForeignNames = {
  name: 'Strapi 4',
  group: 'strapi',
  versions: { withoutIds: 'Strapi 4.0 to 4.4', withIds: 'Strapi 4.26' },
}
