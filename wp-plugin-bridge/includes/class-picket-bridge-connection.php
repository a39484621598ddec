<?php
/**
 * The connection with Picket.
 *
 * @package PicketBridge
 */

/**
 * Who this site is for Picket. The secret is stored encrypted with a key of wp-config.php, so that a copy of the database alone
 * does not contain it.
 */
final class Picket_Bridge_Connection {

	const OPTION = 'picket_bridge_connection';

	/**
	 * A change of the connection waits so long for a poll that is running. What a job changes after deactivation it undoes by
	 * itself.
	 */
	const WAIT_S = 30;

	/**
	 * Returns the connection, or null without one. It is null too if the site was copied to another address, so that a copy
	 * does not speak for the original, not even one in a folder of it, and if the keys of wp-config.php have changed.
	 *
	 * @return array{url: string, site_id: string, secret: string}|null
	 */
	public static function get(): ?array {
		$stored = get_option( self::OPTION );
		if ( ! is_array( $stored ) || self::address() !== $stored['address'] ) {
			return null;
		}
		$secret = self::opened( $stored['sealed'] );
		if ( null === $secret ) {
			return null;
		}
		return array(
			'url'     => $stored['url'],
			'site_id' => $stored['site_id'],
			'secret'  => $secret,
		);
	}

	/**
	 * Returns whether the connection has ended, also when another request has just ended it.
	 */
	public static function is_gone(): bool {
		wp_cache_delete( self::OPTION, 'options' );
		return null === self::get();
	}

	/**
	 * Returns why there is no connection although there was one; an empty text for a site that never had one.
	 */
	public static function why_lost(): string {
		$stored = get_option( self::OPTION );
		if ( ! is_array( $stored ) || null !== self::get() ) {
			return '';
		}
		return self::address() === $stored['address']
			? __( 'The keys in wp-config.php have changed. Connect this site again.', 'picket-bridge' )
			: __( 'This site was copied from another address. Connect it as a site of its own.', 'picket-bridge' );
	}

	/**
	 * Trades an activation code for the secret of this site.
	 *
	 * @param string $url  Of Picket.
	 * @param string $code The activation code.
	 * @return true|WP_Error
	 */
	public static function connect( string $url, string $code ) {
		if ( is_multisite() ) {
			return new WP_Error( 'picket_bridge_multisite', __( 'This site is part of a multisite network. Picket cannot be used there, because its fixes would change all sites of the network.', 'picket-bridge' ) );
		}
		$url = untrailingslashit( trim( $url ) );
		if ( ! self::is_allowed( $url ) ) {
			return new WP_Error( 'picket_bridge_url', __( 'Enter the URL of Picket, which begins with https://.', 'picket-bridge' ) );
		}
		$message  = array_merge( array( 'code' => trim( $code ) ), Picket_Bridge_Poll::about() );
		$response = Picket_Bridge_Client::send( $url . '/v1/wp/plugin/activate', (string) wp_json_encode( $message ), array() );
		if ( is_wp_error( $response ) ) {
			return $response;
		}
		$site_id = $response['site_id'] ?? null;
		$secret  = $response['secret'] ?? null;
		if ( ! is_string( $site_id ) || ! is_string( $secret ) || 1 !== preg_match( '/^[0-9a-f]{64}$/', $secret ) ) {
			return new WP_Error( 'picket_bridge_answer', __( 'The answer is not one of Picket. Is the URL right?', 'picket-bridge' ) );
		}
		$stored = array(
			'url'     => $url,
			'site_id' => $site_id,
			'sealed'  => self::sealed( $secret ),
			'address' => self::address(),
		);
		Picket_Bridge_Poll::lock( self::WAIT_S );
		self::forget();
		update_option( self::OPTION, $stored, false );
		Picket_Bridge_Poll::unlock();
		Picket_Bridge_Schedule::begin();
		Picket_Bridge_Poll::run( true );
		return true;
	}

	/**
	 * Undoes every fix, and ends the connection. The plugin is about to be deactivated.
	 */
	public static function deactivate(): void {
		Picket_Bridge_Poll::lock( self::WAIT_S );
		$connection = self::get();
		// First: a job that is still running finds it gone, and undoes what it changes after the next line.
		self::forget();
		Picket_Bridge_Jobs::undo_all();
		Picket_Bridge_Undo_File::remove();
		if ( null !== $connection ) {
			// If Picket cannot be reached, it notices the silence.
			Picket_Bridge_Client::signed( $connection, '/v1/wp/plugin/disconnect', '{}' );
		}
		Picket_Bridge_Schedule::end();
		Picket_Bridge_Poll::unlock();
	}

	/**
	 * Deletes what is stored of a connection.
	 */
	public static function forget(): void {
		foreach ( array( 'connection', 'state', 'nudged_ms', 'polled_at', 'measured_at', 'problem' ) as $name ) {
			delete_option( 'picket_bridge_' . $name );
		}
	}

	/**
	 * Returns whether the URL may be Picket's. Without TLS, only this machine itself, for tests.
	 *
	 * @param string $url The URL.
	 */
	private static function is_allowed( string $url ): bool {
		$scheme = wp_parse_url( $url, PHP_URL_SCHEME );
		$host   = wp_parse_url( $url, PHP_URL_HOST );
		return is_string( $host ) && ( 'https' === $scheme || ( 'http' === $scheme && in_array( $host, array( '127.0.0.1', 'localhost' ), true ) ) );
	}

	/**
	 * Returns the URL of the home page as it is set, without the language that some plugins add to `home_url()`.
	 */
	public static function home(): string {
		return untrailingslashit( (string) get_option( 'home' ) );
	}

	/**
	 * Returns host, port and path of the home page.
	 */
	private static function address(): string {
		$home = self::home();
		$host = wp_parse_url( $home, PHP_URL_HOST ) . ':' . wp_parse_url( $home, PHP_URL_PORT );
		return strtolower( $host ) . wp_parse_url( $home, PHP_URL_PATH );
	}

	/**
	 * Returns the key of wp-config.php with which the secret is encrypted.
	 */
	private static function key(): string {
		return hash( 'sha256', 'picket-bridge' . wp_salt( 'auth' ), true );
	}

	/**
	 * Encrypts the secret.
	 *
	 * @param string $secret The secret.
	 */
	private static function sealed( string $secret ): string {
		$nonce = random_bytes( SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		return bin2hex( $nonce . sodium_crypto_secretbox( $secret, $nonce, self::key() ) );
	}

	/**
	 * Decrypts the secret. Returns null if the keys of wp-config.php have changed.
	 *
	 * @param string $sealed As stored.
	 */
	private static function opened( string $sealed ): ?string {
		$bytes  = (string) hex2bin( $sealed );
		$nonce  = substr( $bytes, 0, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		$secret = sodium_crypto_secretbox_open( substr( $bytes, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES ), $nonce, self::key() );
		return false === $secret ? null : $secret;
	}
}
