import type { ChannelCredentials } from '@grpc/grpc-js';

type SecureConnector = ReturnType<ChannelCredentials['_createSecureConnector']>;

/**
 * Makes a channel with these credentials open no connection after it was closed, and returns them.
 *
 * When an attempt to connect fails, grpc-js makes another one a second later, although the channel was closed in the
 * meantime. If that one succeeds, nobody uses or closes the connection. It would take one of the places that a control
 * plane has for connections without a valid message, until the control plane ends it.
 */
export function endWithChannel(credentials: ChannelCredentials): ChannelCredentials {
  const create = credentials._createSecureConnector.bind(credentials);
  credentials._createSecureConnector = (...args) => ending(create(...args));
  return credentials;
}

function ending(connector: SecureConnector): SecureConnector {
  let isClosed = false;
  return {
    connect: (socket) => connector.connect(socket),
    getCallCredentials: () => connector.getCallCredentials(),
    async waitForReady() {
      // grpc-js opens the connection once this resolves.
      if (isClosed) throw new Error('the channel was closed');
      await connector.waitForReady();
    },
    destroy() {
      isClosed = true;
      connector.destroy();
    },
  };
}
