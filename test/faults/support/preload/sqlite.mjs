import { register } from 'node:module'

/** Puts the driver that traps its process in the place of SQLite's own. */
register(new URL('sqlite-hooks.mjs', import.meta.url))
