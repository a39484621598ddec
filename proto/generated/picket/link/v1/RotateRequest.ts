// Original file: proto/link.proto


export interface RotateRequest {
}

export interface RotateRequest__Output {
}
