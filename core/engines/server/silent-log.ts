const nothing = () => undefined

/** knex prints plain text between the lines of the log; what matters of it also comes back as an error. */
export const silentLog = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing }
