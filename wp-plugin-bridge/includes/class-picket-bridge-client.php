<?php
/**
 * Requests to Picket.
 *
 * @package PicketBridge
 */

/**
 * Sends requests. Redirects are not followed: nothing but the URL that somebody has entered gets what this site sends.
 */
final class Picket_Bridge_Client {

	const TIMEOUT_S      = 15;
	const ANSWER_MAX     = 65536;
	const ERROR_CHARS    = 300;

	/**
	 * Sends a message. Returns the field `data` of the answer.
	 *
	 * @param string   $url     Where to.
	 * @param string   $body    JSON.
	 * @param string[] $headers Further headers.
	 * @return array|WP_Error
	 */
	public static function send( string $url, string $body, array $headers ) {
		$response = wp_remote_post(
			$url,
			array(
				'body'                => $body,
				'headers'             => array_merge( array( 'Content-Type' => 'application/json' ), $headers ),
				'redirection'         => 0,
				'timeout'             => self::TIMEOUT_S,
				'limit_response_size' => self::ANSWER_MAX,
				'user-agent'          => 'picket-bridge/' . PICKET_BRIDGE_VERSION,
			)
		);
		if ( is_wp_error( $response ) ) {
			/* translators: %s: what failed. */
			return new WP_Error( 'picket_bridge_unreachable', sprintf( __( 'Picket cannot be reached: %s', 'picket-bridge' ), $response->get_error_message() ) );
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		$answer = json_decode( wp_remote_retrieve_body( $response ), true );
		if ( 200 === $status && is_array( $answer ) && is_array( $answer['data'] ?? null ) ) {
			return $answer['data'];
		}
		$detail = is_array( $answer ) && is_string( $answer['detail'] ?? null ) ? $answer['detail'] : '';
		if ( '' === $detail ) {
			/* translators: %d: an HTTP status. */
			$detail = sprintf( __( 'The answer is not one of Picket (HTTP %d). Is the URL right?', 'picket-bridge' ), $status );
		}
		return new WP_Error( 'picket_bridge_refused', substr( wp_strip_all_tags( $detail ), 0, self::ERROR_CHARS ), array( 'status' => $status ) );
	}

	/**
	 * Sends a signed message. Returns the payload of the answer, whose signature is right.
	 *
	 * @param array  $connection As `Picket_Bridge_Connection::get` returns it.
	 * @param string $path       Of the API.
	 * @param string $body       JSON.
	 * @return array|WP_Error
	 */
	public static function signed( array $connection, string $path, string $body ) {
		$time      = (string) time();
		$nonce     = bin2hex( random_bytes( 16 ) );
		$signature = Picket_Bridge_Signature::of_request( $connection['secret'], 'POST', $path, $time, $nonce, $connection['site_id'], $body );
		$headers   = array(
			'X-Picket-Site'      => $connection['site_id'],
			'X-Picket-Time'      => $time,
			'X-Picket-Nonce'     => $nonce,
			'X-Picket-Signature' => $signature,
		);
		$answer    = self::send( $connection['url'] . $path, $body, $headers );
		if ( is_wp_error( $answer ) ) {
			return $answer;
		}
		$payload  = is_string( $answer['payload'] ?? null ) ? $answer['payload'] : '';
		$given    = is_string( $answer['signature'] ?? null ) ? $answer['signature'] : '';
		$expected = Picket_Bridge_Signature::of_answer( $connection['secret'], $nonce, $payload );
		$decoded  = json_decode( $payload, true );
		if ( ! hash_equals( $expected, $given ) || ! is_array( $decoded ) ) {
			return new WP_Error( 'picket_bridge_forged', __( 'The answer is not signed by Picket. It was ignored.', 'picket-bridge' ) );
		}
		return $decoded;
	}
}
