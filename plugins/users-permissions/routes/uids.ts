/** Controllers of Strapi 4 that are no content types, for the actions of their routes. */
export const authUid = 'plugin::users-permissions.auth'
export const permissionsUid = 'plugin::users-permissions.permissions'
