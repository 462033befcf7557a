interface DefaultRole {
  readonly type: string
  readonly name: string
  readonly description: string
  /** Default permissions of the roles of a type, by uid. */
  readonly actions: Readonly<Record<string, readonly string[]>>
}

/** The two roles that every app has, as Strapi 4 makes them. */
export const defaultRoles: readonly DefaultRole[] = [
  {
    type: 'authenticated',
    name: 'Authenticated',
    description: 'Default role given to authenticated user.',
    actions: {
      'plugin::users-permissions.user': ['me'],
      'plugin::users-permissions.auth': ['changePassword'],
    },
  },
  {
    type: 'public',
    name: 'Public',
    description: 'Default role given to unauthenticated user.',
    actions: {
      'plugin::users-permissions.auth': [
        'callback',
        'connect',
        'forgotPassword',
        'resetPassword',
        'register',
        'emailConfirmation',
        'sendEmailConfirmation',
      ],
    },
  },
]
