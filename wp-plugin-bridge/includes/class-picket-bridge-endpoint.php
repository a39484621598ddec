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
	 * Returns whether the request is signed.
	 *
	 * @param WP_REST_Request $request The request.
	 */
	public static function is_signed( WP_REST_Request $request ): bool {
		return Picket_Bridge_Nudge::is_signed( $request->get_json_params() );
	}

	/**
	 * Polls, and answers.
	 *
	 * @param WP_REST_Request $request The request.
	 */
	public static function answer( WP_REST_Request $request ): WP_REST_Response {
		$body = (array) $request->get_json_params();
		if ( Picket_Bridge_Nudge::has( $body, 'view' ) ) {
			$connection = Picket_Bridge_Connection::get();
			$payload    = (string) wp_json_encode( Picket_Bridge_Web_View::here() );
			return new WP_REST_Response(
				array(
					'payload'   => $payload,
					'signature' => Picket_Bridge_Signature::of_answer( (string) ( $connection['secret'] ?? '' ), $body['nonce'], $payload ),
				)
			);
		}
		// Picket may give up, and what was begun is finished anyway.
		ignore_user_abort( true );
		Picket_Bridge_Poll::run( true );
		$answer = Picket_Bridge_Nudge::answer( $body );
		return new WP_REST_Response( $answer, null === $answer ? 403 : 200 );
	}
}
