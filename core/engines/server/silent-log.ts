const nothing = () => undefined

/** knex prints plain text between the lines of the log; its important messages also come back as errors. */
export const silentLog = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing }
