<?php
/**
 * Signed requests to this site.
 *
 * @package PicketBridge
 */

/**
 * Verifies them, for the endpoint and for the must-use plugin. `undo` of a body says that this site is to undo fixes before
 * plugins and theme are loaded, `view` that it asks itself what a new request sees; any other is a nudge. Each kind has a
 * signature of its own.
 */
final class Picket_Bridge_Nudge {

	const AGE_MS_MAX = 300000;
	const NUDGED_MS  = 'picket_bridge_nudged_ms';

	/**
	 * Returns whether a body has this flag.
	 *
	 * @param mixed  $body As decoded.
	 * @param string $flag `undo` or `view`.
	 */
	public static function has( $body, string $flag ): bool {
		return is_array( $body ) && true === ( $body[ $flag ] ?? null );
	}

	/**
	 * Returns whether the request is from Picket, not old, and newer than all before: each works once. A view changes
	 * nothing, so only its age counts.
	 *
	 * @param mixed $body As decoded.
	 */
	public static function is_signed( $body ): bool {
		$connection = Picket_Bridge_Connection::get();
		$time_ms    = is_array( $body ) ? $body['time_ms'] ?? null : null;
		$nonce      = is_array( $body ) ? $body['nonce'] ?? null : null;
		$signature  = is_array( $body ) ? $body['signature'] ?? null : null;
		if ( null === $connection || ! is_int( $time_ms ) || ! is_string( $nonce ) || ! is_string( $signature ) ) {
			return false;
		}
		$age_ms = abs( $time_ms - 1000 * microtime( true ) );
		$of     = array( $connection['secret'], $connection['site_id'], (string) $time_ms, $nonce );
		if ( self::has( $body, 'view' ) ) {
			return hash_equals( Picket_Bridge_Signature::of_view( ...$of ), $signature ) && $age_ms <= Picket_Bridge_Web_View::AGE_MS_MAX;
		}
		$expected = self::has( $body, 'undo' ) ? Picket_Bridge_Signature::of_undo( ...$of ) : Picket_Bridge_Signature::of_nudge( ...$of );
		if ( ! hash_equals( $expected, $signature ) || $age_ms > self::AGE_MS_MAX || $time_ms <= (int) get_option( self::NUDGED_MS ) ) {
			return false;
		}
		update_option( self::NUDGED_MS, $time_ms, false );
		return true;
	}

	/**
	 * Returns the answer, which proves that this site has the secret; null if the connection has ended meanwhile.
	 *
	 * @param array $body A body that is signed.
	 */
	public static function answer( array $body ): ?array {
		$connection = Picket_Bridge_Connection::get();
		return null === $connection ? null : array(
			'answer' => Picket_Bridge_Signature::of_nudged( $connection['secret'], $connection['site_id'], $body['nonce'] ),
		);
	}
}
