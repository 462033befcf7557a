import module from 'node:module'
import { resolve } from './sqlite-hooks.mjs'

/** Puts the driver that traps its process in the place of SQLite's own. Node.js 20 has only the older way, Node.js 26 warns of it. */
if (module.registerHooks) module.registerHooks({ resolve })
else module.register(new URL('sqlite-hooks.mjs', import.meta.url))
