import { GraphQLID, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql'
import { type RouteCall, ValidationError } from '../../../core/index.js'
import { changeFile, readInfos, takeFiles, type Upload } from '../../upload/index.js'
import type { UploadedFile } from '../http/multipart.js'
import type { MadeTypes, More } from '../model/index.js'
import { assertMay } from './content.js'

type Values = Readonly<Record<string, unknown>>

const fileUid = 'plugin::upload.file'
const contentApi = 'plugin::upload.content-api'

/** The roots that take files in, change and remove them, with the permissions of the routes that do so. */
export function uploadRoots(service: Upload, made: MadeTypes): More {
  const type = service.host.types.get(fileUid)
  const response = made.one('UploadFile')
  const answer = new GraphQLNonNull(response)
  const file = made.scalar('Upload')
  const id = { type: new GraphQLNonNull(GraphQLID) }
  const place = { refId: { type: GraphQLID }, ref: text, field: text }
  const take = async (call: RouteCall, args: Values, files: readonly UploadedFile[]): Promise<number[]> => {
    assertMay(call, { uid: contentApi, action: 'upload' })
    const taken = await takeFiles(
      { ...call, service },
      {
        files: files.map(({ sent }) => sent),
        infos: readInfos(args.info),
        target: { ref: args.ref ?? undefined, refId: args.refId ?? undefined, field: args.field ?? undefined },
      },
    )
    return taken.map(({ id }) => Number(id))
  }
  return {
    mutation: {
      upload: {
        type: answer,
        args: { ...place, info: { type: fileInfo }, file: { type: new GraphQLNonNull(file) } },
        extensions: {
          stele: {
            is: 'entry',
            type,
            act: async (args, { call }) => (await take(call, args, [args.file as UploadedFile]))[0],
          },
        },
      },
      multipleUpload: {
        type: new GraphQLNonNull(new GraphQLList(response)),
        args: { ...place, files: { type: new GraphQLNonNull(new GraphQLList(file)) } },
        extensions: {
          stele: {
            is: 'entries',
            type,
            act: (args, { call }) =>
              take(
                call,
                args,
                (args.files as (UploadedFile | null)[]).filter(one => one !== null),
              ),
          },
        },
      },
      updateFileInfo: {
        type: answer,
        args: { id, info: { type: fileInfo } },
        extensions: {
          stele: {
            is: 'entry',
            type,
            async act(args, { call }) {
              assertMay(call, { uid: contentApi, action: 'upload' })
              const [info] = readInfos(args.info)
              if (!info) throw missingInfo()
              return Number((await changeFile({ ...call, service }, args.id, info)).id)
            },
          },
        },
      },
      removeFile: {
        type: response,
        args: { id },
        extensions: {
          stele: { is: 'delete', type, permission: { uid: contentApi, action: 'destroy' }, isNull: true },
        },
      },
    },
  }
}

const text = { type: GraphQLString }

const fileInfo = new GraphQLInputObjectType({
  name: 'FileInfoInput',
  fields: { name: text, alternativeText: text, caption: text },
})

function missingInfo(): ValidationError {
  const message = 'info is required: { name, alternativeText, caption }, or some of them'
  return ValidationError.of([{ path: ['info'], message, name: 'ValidationError' }])
}
