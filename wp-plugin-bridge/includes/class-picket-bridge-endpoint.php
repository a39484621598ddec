<?php
/**
 * What this plugin opens on the site.
 *
 * @package PicketBridge
 */

/**
 * The only endpoint. A signed request without content makes this site poll at once, and the answer proves to Picket that the
 * site at this address is the connected one. With another signature the site asks itself what a new request sees; nobody else
 * has its answer, and it changes nothing. Everything else is refused, and nothing can be sent by it.
 */
final class Picket_Bridge_Endpoint {

	const AGE_MS_MAX = 300000;

	/**
	 * Adds the hooks.
	 */
	public static function add_hooks(): void {
		add_action( 'rest_api_init', array( __CLASS__, 'register' ) );
	}

	/**
	 * Registers the route.
	 */
	public static function register(): void {
		register_rest_route(
			'picket-bridge/v1',
			'/nudge',
			array(
				'methods'             => 'POST',
				'callback'            => array( __CLASS__, 'answer' ),
				// The signature is the permission.
				'permission_callback' => array( __CLASS__, 'is_signed' ),
			)
		);
	}

	/**
	 * Returns whether the request is from Picket, not old, and newer than all before: each works once.
	 *
	 * @param WP_REST_Request $request The request.
	 */
	public static function is_signed( WP_REST_Request $request ): bool {
		$connection = Picket_Bridge_Connection::get();
		$body       = $request->get_json_params();
		$time_ms    = $body['time_ms'] ?? null;
		$nonce      = $body['nonce'] ?? null;
		$signature  = $body['signature'] ?? null;
		if ( null === $connection || ! is_int( $time_ms ) || ! is_string( $nonce ) || ! is_string( $signature ) ) {
			return false;
		}
		if ( true === ( $body['view'] ?? null ) ) {
			$expected = Picket_Bridge_Signature::of_view( $connection['secret'], $connection['site_id'], (string) $time_ms, $nonce );
			return hash_equals( $expected, $signature ) && abs( $time_ms - 1000 * microtime( true ) ) <= Picket_Bridge_Web_View::AGE_MS_MAX;
		}
		$expected = Picket_Bridge_Signature::of_nudge( $connection['secret'], $connection['site_id'], (string) $time_ms, $nonce );
		if ( ! hash_equals( $expected, $signature ) || abs( $time_ms - 1000 * microtime( true ) ) > self::AGE_MS_MAX ) {
			return false;
		}
		if ( $time_ms <= (int) get_option( 'picket_bridge_nudged_ms' ) ) {
			return false;
		}
		update_option( 'picket_bridge_nudged_ms', $time_ms, false );
		return true;
	}

	/**
	 * Polls, and answers.
	 *
	 * @param WP_REST_Request $request The request.
	 */
	public static function answer( WP_REST_Request $request ): WP_REST_Response {
		$nonce = (string) $request->get_json_params()['nonce'];
		if ( true === ( $request->get_json_params()['view'] ?? null ) ) {
			$connection = Picket_Bridge_Connection::get();
			$payload    = (string) wp_json_encode( Picket_Bridge_Web_View::here() );
			return new WP_REST_Response(
				array(
					'payload'   => $payload,
					'signature' => Picket_Bridge_Signature::of_answer( (string) ( $connection['secret'] ?? '' ), $nonce, $payload ),
				)
			);
		}
		// Picket may give up, and what was begun is finished anyway.
		ignore_user_abort( true );
		Picket_Bridge_Poll::run( true );
		$connection = Picket_Bridge_Connection::get();
		if ( null === $connection ) {
			return new WP_REST_Response( null, 403 );
		}
		return new WP_REST_Response(
			array( 'answer' => Picket_Bridge_Signature::of_nudged( $connection['secret'], $connection['site_id'], $nonce ) )
		);
	}
}
