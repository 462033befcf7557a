/** The controllers of Strapi 4 that are no content types: what their routes' actions belong to. */
export const authUid = 'plugin::users-permissions.auth'
export const permissionsUid = 'plugin::users-permissions.permissions'
