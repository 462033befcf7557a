import { defineCommand } from '../command.js'
import type { InitOptions } from '../init/init.js'

export const command = defineCommand<InitOptions>({
  says: 'create a new app: a folder with a content type, settings and secrets, ready to start',
  place: 3,
  argument: { name: 'dir', says: 'a new or empty folder' },
  options: [
    {
      flags: '--database <engine>',
      says: 'the database engine',
      choices: ['sqlite', 'mysql', 'mariadb', 'postgres'],
      default: 'sqlite',
    },
    { flags: '--console', says: 'with a page where people write content; asked at a terminal' },
    { flags: '--no-console', says: 'without that page' },
  ],
  run: async ({ argument, options, io }) => (await import('../init/init.js')).init(argument, options, io),
})
