<?php
/**
 * What a new request of the web server sees.
 *
 * @package PicketBridge
 */

/**
 * Constants, capabilities and settings of PHP, read by a request of the site to itself: this process has begun before the last
 * change, and that of a command line has other settings.
 */
final class Picket_Bridge_Web_View {

	const ADMINISTRATORS_MAX = 50;
	const AGE_MS_MAX         = 60000;

	/**
	 * What this measurement has read.
	 *
	 * @var array|WP_Error|null
	 */
	private static $read = null;

	/**
	 * Forgets what was read.
	 */
	public static function forget(): void {
		self::$read = null;
	}

	/**
	 * Returns what a new request sees, once in each measurement.
	 *
	 * @return array|WP_Error
	 */
	public static function read() {
		if ( null === self::$read ) {
			self::$read = self::requested();
		}
		return self::$read;
	}

	/**
	 * Requests it with a signature, because nobody else may know it.
	 *
	 * @return array|WP_Error
	 */
	private static function requested() {
		$connection = Picket_Bridge_Connection::get();
		if ( null === $connection ) {
			return new WP_Error( 'picket_bridge_unconnected', 'the site is not connected' );
		}
		$nonce   = bin2hex( random_bytes( 16 ) );
		$time_ms = (int) floor( 1000 * microtime( true ) );
		$body    = wp_json_encode(
			array(
				'view'      => true,
				'time_ms'   => $time_ms,
				'nonce'     => $nonce,
				'signature' => Picket_Bridge_Signature::of_view( $connection['secret'], $connection['site_id'], (string) $time_ms, $nonce ),
			)
		);
		$answer  = Picket_Bridge_Self_Request::send(
			'POST',
			home_url( '/?rest_route=/picket-bridge/v1/nudge' ),
			array(
				'body'    => $body,
				'headers' => array( 'Content-Type' => 'application/json' ),
			)
		);
		if ( is_wp_error( $answer ) ) {
			return $answer;
		}
		$decoded  = json_decode( $answer['body'], true );
		$payload  = is_array( $decoded ) ? (string) ( $decoded['payload'] ?? '' ) : '';
		$given    = is_array( $decoded ) ? (string) ( $decoded['signature'] ?? '' ) : '';
		$expected = Picket_Bridge_Signature::of_answer( $connection['secret'], $nonce, $payload );
		if ( ! hash_equals( $expected, $given ) ) {
			return new WP_Error( 'picket_bridge_view', 'the site does not answer itself, but with HTTP ' . $answer['status'] );
		}
		return (array) json_decode( $payload, true );
	}

	/**
	 * Returns what this request sees.
	 */
	public static function here(): array {
		$administrators = get_users(
			array(
				'role'   => 'administrator',
				'number' => self::ADMINISTRATORS_MAX,
			)
		);
		$editors        = 0;
		foreach ( $administrators as $user ) {
			$editors += user_can( $user, 'edit_plugins' ) || user_can( $user, 'edit_themes' ) ? 1 : 0;
		}
		return array(
			'administrators' => count( $administrators ),
			'editors'        => $editors,
			'debug'          => defined( 'WP_DEBUG' ) && WP_DEBUG,
			'logs_errors'    => self::is_on( 'log_errors' ),
			'error_log'      => (string) ini_get( 'error_log' ),
			'before_plugins' => defined( 'PICKET_BRIDGE_BEFORE_PLUGINS' ),
		);
	}

	/**
	 * Returns whether a setting of PHP is on.
	 *
	 * @param string $name Of the setting.
	 */
	private static function is_on( string $name ): bool {
		return ! in_array( strtolower( (string) ini_get( $name ) ), array( '', '0', 'off', 'no', 'false', 'stderr' ), true );
	}
}
