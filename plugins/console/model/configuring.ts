/** The permissions to change layouts, as Strapi 4 names them. */
export const configuring = {
  collectionType: 'collection-types.configure-view',
  singleType: 'single-types.configure-view',
  component: 'components.configure-layout',
} as const
